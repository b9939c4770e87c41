import foo from 'foo';
