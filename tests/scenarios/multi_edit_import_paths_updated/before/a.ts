import x from './old/x';
