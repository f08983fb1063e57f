/** The layers of docs/architecture.md as rules. A violation fails `npm run lint:layers`. */
const { moduleRules } = require('./scripts/layers/module-order.cjs')

const tests = '[.]test[.]tsx?$|/testing/|^lib/services/testing/|^lab/tests/'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-dev-packages-in-product',
      comment: 'What runs in production may not lean on development packages.',
      severity: 'error',
      from: { path: '^(app|components|lib|server[.]ts)', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-is-pure',
      comment:
        'lib/domain and lib/schemas know zod, yaml, lib/util and each other: no I/O, no clock, no randomness.',
      severity: 'error',
      from: { path: '^lib/(domain|schemas)/', pathNot: tests },
      to: {
        pathNot: '^lib/(domain|schemas|util)/|^node_modules/(zod|yaml)/',
        // Node's own modules have rules of their own below.
        dependencyTypesNot: ['type-only', 'core'],
      },
    },
    {
      name: 'domain-has-no-io',
      severity: 'error',
      from: { path: '^lib/domain/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'schemas-hash-only',
      comment: 'The agent contract may hash (the digest), nothing else of node.',
      severity: 'error',
      from: { path: '^lib/schemas/', pathNot: tests },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'schemas-do-not-know-rules',
      severity: 'error',
      from: { path: '^lib/schemas/' },
      to: { path: '^lib/domain/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'util-is-a-leaf',
      severity: 'error',
      from: { path: '^lib/util/', pathNot: tests },
      to: { path: '^(app|components|agent|simulator|server[.]ts|lib/(?!util/))' },
    },
    {
      name: 'browser-never-imports-server',
      comment:
        'Components and the browser API see DTOs and rules, never services, the database or the process.',
      severity: 'error',
      from: { path: '^(components|lib/api)/', pathNot: tests },
      to: { path: '^(lib/(server|services|openstack)/|server[.]ts|agent/|simulator/)' },
    },
    {
      name: 'ui-knows-no-noun',
      comment: 'components/ui is about forms and surfaces, not about GPUs, queries or pages.',
      severity: 'error',
      from: { path: '^components/ui/', pathNot: tests },
      to: {
        path: '^(components/(?!ui/)|lib/(?!util/)|app/|node_modules/(@tanstack/react-query|nuqs)/)',
      },
    },
    {
      name: 'pages-do-not-touch-the-database',
      severity: 'error',
      from: { path: '^app/', pathNot: tests },
      to: { path: '^lib/(server/(database|prisma-client|agent-api)/|openstack/)|^agent/|^simulator/' },
    },
    {
      name: 'services-do-not-know-pages',
      severity: 'error',
      from: { path: '^lib/(services|server|openstack)/', pathNot: tests },
      to: { path: '^(app|components|simulator)/|^agent/' },
    },
    {
      name: 'openstack-stands-alone',
      comment: 'The clients know the domain by its types alone, and neither the database nor the process.',
      severity: 'error',
      from: { path: '^lib/openstack/', pathNot: tests },
      to: { path: '^lib/(?!openstack/|schemas/|util/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-way-to-a-cloud',
      comment:
        'Rate, allowed addresses and certificates are held in one place, so nothing else opens connections. Webhooks go to other addresses, by rules of their own (decision 019).',
      severity: 'error',
      from: {
        path: '^(app|components|lib/(?!openstack/transport/|server/webhook/post-webhook))',
        pathNot: tests,
      },
      to: { path: '^node_modules/undici/' },
    },
    {
      name: 'services-do-not-know-react',
      severity: 'error',
      from: { path: '^lib/services/', pathNot: tests },
      to: { path: '^node_modules/(react|react-dom|next)/' },
    },
    {
      name: 'agent-knows-the-contract-only',
      severity: 'error',
      from: { path: '^agent/', pathNot: tests },
      to: { path: '^(app|components|simulator|bench|e2e|server[.]ts|lib/(?!schemas/agent/))' },
    },
    {
      name: 'nothing-leans-on-the-lab',
      comment:
        'The lab runs the product against real services; only the page of findings, which lists its tests, may need it.',
      severity: 'error',
      from: { pathNot: '^lab/|^scripts/findings-page/' },
      to: { path: '^lab/' },
    },
    {
      name: 'nothing-leans-on-chaos',
      severity: 'error',
      from: { pathNot: '^chaos/' },
      to: { path: '^chaos/' },
    },
    {
      name: 'lab-hosts-are-trees',
      comment:
        'What keeps a lab host’s tree knows the simulator’s writer; only the lab’s tests know the product.',
      severity: 'error',
      from: { path: '^lab/watcher/', pathNot: tests },
      to: { path: '^(app|components|agent|lib|server[.]ts)' },
    },
    {
      name: 'simulator-stands-outside',
      comment: 'The simulator, browser tests and benchmarks use the contract, domain constants and seeds.',
      severity: 'error',
      from: { path: '^(simulator|e2e)/', pathNot: tests },
      to: { path: '^(app|components|lib/(?!schemas/|domain/|util/))' },
    },
    ...moduleRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|[.]next|lib/server/prisma-client|bench/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
}
