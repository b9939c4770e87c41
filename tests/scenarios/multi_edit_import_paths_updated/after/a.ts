import x from './new/x';
