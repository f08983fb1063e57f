/**
 * The order of the modules of lib/domain, lib/services and lib/server, for `.dependency-cruiser.cjs`. A folder is a module. It
 * imports only modules that are listed before it, types included. docs/modules.md has the same lists. Files at the root of
 * a list's folder are below its modules.
 */
const tests = '[.]test[.]tsx?$|/testing/'

const domainModules = [
  'vgpu-type',
  'price',
  'nova-config',
  'pgpu',
  'host-findings',
  'host',
  'cloud',
  'fleet',
  'fit',
  'headroom',
  'limits',
  'findings',
  'flavor',
  'plans',
  'access',
  'history',
  'utilization',
  'demand',
  'forecast',
  'scenario',
  'review',
  'catalog',
  'create-server',
  'quota-request',
  'gpu-list',
  'gpu-server',
  'finding-list',
  'metrics',
  'webhook',
]

/**
 * The folders of lib/domain/plans in the same order: first what plans of several kinds share, then one folder for each kind of
 * plan, of which none knows another, then the runbook. types.ts and malformed-steps.ts at the root are about the steps of all
 * kinds, so they are above the folders; the other files at the root are below.
 */
const sharedByPlans = ['malformed', 'host-steps', 'flavor-steps', 'managed-traits']
const planKinds = ['traits', 'orphans', 'type-change', 'passthrough', 'flavor', 'limits', 'reservation']
const planModules = [...sharedByPlans, ...planKinds, 'runbook']
const ofAllPlans = '^lib/domain/plans/(?:types|stored-plan|malformed-steps|written-targets)[.]ts$'

const serviceModules = [
  'cloud',
  'price',
  'restore',
  'session',
  'api-token',
  'audit',
  'health',
  'help',
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
  'managed-trait',
  'stored-host',
  'cloud-reading',
  'api-alias',
  'quota-driver',
  'host',
  'enrollment',
  'gpu',
  'saved-view',
  'search',
  'fit',
  'flavor',
  'vgpu-type',
  'gpu-headroom',
  'gpu-server',
  'migration',
  'vgpu-action',
  'quota',
  'change',
  'limit-set-up',
  'history',
  'capacity',
  'catalog',
  'create-server',
  'quota-request',
  'demand',
  'utilization',
  'roll-up',
  'forecast',
  'scenario',
  'overview',
  'onboarding',
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

/** One rule for the root and for each module but the last, which has nothing after it. */
const inOrder = ({ name, folder, modules, rootPathNot = tests }) =>
  ['', ...modules.slice(0, -1)].map((module, position) => ({
    name: `${name}-order-${module || 'root'}`,
    comment: 'Imports between these folders go one way, type imports included.',
    severity: 'error',
    from:
      module === ''
        ? { path: `^${folder}/[^/]+$`, pathNot: rootPathNot }
        : { path: `^${folder}/${module}/`, pathNot: tests },
    to: { path: `^${folder}/${oneOf(modules.slice(position))}/` },
  }))

const withoutPosition = ({ name, folder, modules }) => ({
  name: `${name}-module-without-position`,
  comment: 'A new folder gets a position in scripts/layers/module-order.cjs and in docs/modules.md.',
  severity: 'error',
  from: {},
  to: { path: `^${folder}/(?!${oneOf([...modules, 'testing'])}/)[^/]+/` },
})

const lists = [
  { name: 'domain', folder: 'lib/domain', modules: domainModules },
  {
    name: 'plans',
    folder: 'lib/domain/plans',
    modules: planModules,
    rootPathNot: `${tests}|${ofAllPlans}`,
  },
  { name: 'service', folder: 'lib/services', modules: serviceModules },
  { name: 'server', folder: 'lib/server', modules: serverModules },
]

module.exports = {
  moduleRules: [
    ...lists.flatMap((list) => [...inOrder(list), withoutPosition(list)]),
    {
      name: 'plans-know-no-other-kind',
      comment: 'What plans of two kinds need is in a folder that they share.',
      severity: 'error',
      from: { path: `^lib/domain/plans/(${planKinds.join('|')})/`, pathNot: tests },
      to: { path: `^lib/domain/plans/${oneOf(planKinds)}/`, pathNot: '^lib/domain/plans/$1/' },
    },
    {
      name: 'plans-know-their-own-steps',
      comment: 'A plan has the tasks of its own kind; types.ts is the union of them.',
      severity: 'error',
      from: { path: '^lib/domain/plans/', pathNot: `${tests}|${ofAllPlans}` },
      to: { path: ofAllPlans },
    },
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
