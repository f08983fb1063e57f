// Run in front of what needs a newer Node.js than some machines have; scripts/old-node.test.ts keeps the two alike.
(function () {
  var found = process.versions.node.split('.');
  var isOld = Number(found[0]) < 20 || (Number(found[0]) === 20 && Number(found[1]) < 19);
  if (!isOld) return;
  console.error('Sliceboard needs Node.js 20.19 or newer, but this is Node.js ' + process.versions.node + ': install a newer one from https://nodejs.org/en/download.');
  process.exit(1);
})();
