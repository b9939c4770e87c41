const x = 10;
const y = 20;
