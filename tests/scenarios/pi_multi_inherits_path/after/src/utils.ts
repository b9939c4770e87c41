import foo from '@scope/foo';
