/**
 * The order of the modules of lib/services and lib/server, for `.dependency-cruiser.cjs`. A folder is a module. It imports
 * only modules that are listed before it, types included.
 */
const tests = '[.]test[.]tsx?$|/testing/'

/** From bottom to top, as docs/architecture.md lists them. */
const serviceModules = [
  'cloud',
  'restore',
  'session',
  'api-token',
  'audit',
  'health',
  'api-description',
  'join-token',
  'enrollment-request',
  'report',
  'agent-command',
  'console-secret',
  'fleet',
  'agent',
  'webhook-outbox',
  'finding',
  'kept-trait',
  'stored-host',
  'cloud-reading',
  'api-alias',
  'quota-driver',
  'host',
  'enrolment',
  'gpu',
  'search',
  'fit',
  'flavor',
  'vgpu-type',
  'gpu-room',
  'migration',
  'quota',
  'change',
  'limit-set-up',
  'history',
  'capacity',
  'catalog',
  'quota-request',
  'demand',
  'utilisation',
  'roll-up',
  'forecast',
  'what-if',
  'overview',
  'webhook',
  'review',
  'metrics',
]

/** The first ones are for services too; the others may import services. */
const modulesForServices = [
  'errors',
  'sharing',
  'database',
  'secrets',
  'webhook',
  'context',
  'audit',
  'session',
  'background',
]

/** `settings` is below all of them but `errors`; services get settings from their context. */
const serverModules = [
  'errors',
  'settings',
  ...modulesForServices.slice(1),
  'http',
  'agent-api',
  'process',
  'front-api',
]

const oneOf = (names) => `(?:${names.join('|')})`

const moduleOrder = ({ name, folder, modules }) => [
  // The last module has nothing after it.
  ...modules.slice(0, -1).map((module, index) => ({
    name: `${name}-order-${module}`,
    comment: `Imports between the folders of ${folder} go one way; scripts/layers/module-order.cjs has the order.`,
    severity: 'error',
    from: { path: `^${folder}/${module}/`, pathNot: tests },
    to: { path: `^${folder}/${oneOf(modules.slice(index + 1))}/` },
  })),
  {
    name: `${name}-module-without-position`,
    comment: `A new folder of ${folder} gets a position in scripts/layers/module-order.cjs and in docs/architecture.md.`,
    severity: 'error',
    from: {},
    to: {
      path: `^${folder}/`,
      pathNot: `${tests}|^${folder}/(?:${oneOf([...modules, 'testing'])}/|empty[.]ts$)`,
    },
  },
]

module.exports = {
  moduleRules: [
    ...moduleOrder({ name: 'service', folder: 'lib/services', modules: serviceModules }),
    ...moduleOrder({ name: 'server', folder: 'lib/server', modules: serverModules }),
    {
      name: 'services-import-listed-server-modules',
      comment:
        'Services import only these modules of lib/server; HTTP, settings and the process are above them.',
      severity: 'error',
      from: { path: '^lib/services/', pathNot: tests },
      to: { path: `^lib/server/(?!${oneOf(modulesForServices)}/)` },
    },
    {
      name: 'listed-server-modules-import-no-services',
      comment: 'What services import does not import services.',
      severity: 'error',
      from: { path: `^lib/server/${oneOf(['settings', ...modulesForServices])}/`, pathNot: tests },
      to: { path: '^lib/services/' },
    },
  ],
}
