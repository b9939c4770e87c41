import x from './old/x';
import y from './old/y';
