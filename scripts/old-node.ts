/** The oldest Node.js on which a program runs, and what the program is called. */
type Requirement = { product: string; major: number; minor: number }

/** The same as `engines` in package.json. */
export const CONSOLE_NODE: Requirement = { product: 'Sliceboard', major: 20, minor: 19 }
export const AGENT_NODE: Requirement = { product: 'The Sliceboard agent', major: 18, minor: 0 }

/**
 * Statements that end an older Node.js with one sentence, instead of the SyntaxError of what follows. Written in ES5, which any
 * Node.js reads.
 */
export const refuseOldNode = ({ product, major, minor }: Requirement): string => `(function () {
  var found = process.versions.node.split('.');
  var isOld = Number(found[0]) < ${major} || (Number(found[0]) === ${major} && Number(found[1]) < ${minor});
  if (!isOld) return;
  console.error('${product} needs Node.js ${minor === 0 ? major : `${major}.${minor}`} or newer, but this is Node.js ' + process.versions.node + ': install a newer one from https://nodejs.org/en/download.');
  process.exit(1);
})();
`
