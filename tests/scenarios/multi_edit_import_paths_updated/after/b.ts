import x from './new/x';
import y from './new/y';
