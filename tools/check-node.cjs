// Prints one clear line instead of a stack trace. This is CommonJS in old syntax, because the rejected versions must be able to run it.
var oldest = require('../package.json').engines.node.match(/(\d+)\.(\d+)/);
var found = process.versions.node.split('.').map(Number);

if (found[0] < Number(oldest[1]) || (found[0] === Number(oldest[1]) && found[1] < Number(oldest[2]))) {
  console.error(
    'Open Access Fibre needs Node ' +
      oldest[0] +
      ' or newer, but this is Node ' +
      process.versions.node +
      '. See https://nodejs.org/en/download',
  );
  process.exit(1);
}
