import type { PlacementClient } from '@/lib/openstack/placement/types'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanTraits } from '@/lib/schemas/api/change-inputs'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { createCommandSigner } from '@/lib/services/agent-command/command-signer'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { advanceChange } from '@/lib/services/change/advance-change'
import { createChangeTools } from '@/lib/services/change/change-tools'
import { createChange } from '@/lib/services/change/create-change'
import { getChange } from '@/lib/services/change/get-change'
import { listFindings } from '@/lib/services/finding/list-findings'
import { createReadWorld } from '@/lib/services/testing/read-world'
import type { Provider } from '@/simulator/openstack/placement/placement-state'
import { listManagedTraits } from '../list-managed-traits'

/** Two A40, tagged by hand, so that tags go with the provider when a card fills. */
const HOST = 'cmp-r4-02'
const PERIOD_MS = 30_000
const MAX_TURNS = 500

type Calls = Pick<PlacementClient, 'getTraits' | 'putTraits'>

/** A console with the traits of one card to keep, and what happens around its calls. */
export const createKeepWorld = () => {
  /** What a test does to the keeper's calls. */
  const hooks: { around: ((client: PlacementClient) => Partial<Calls>) | null } = { around: null }
  const world = createReadWorld({
    hosts: [HOST],
    wrapPlacement: (client) => ({
      ...client,
      getTraits: (uuid) => (hooks.around?.(client).getTraits ?? client.getTraits)(uuid),
      putTraits: (uuid, input) => (hooks.around?.(client).putTraits ?? client.putTraits)(uuid, input),
    }),
  })
  const living = () => {
    const [host] = world.openstack().world.hosts
    if (host === undefined) throw new Error(`the world has no host ${HOST}`)
    return host.living
  }
  const address = () => living().spec().gpus[0]?.address ?? ''

  /** Hosts report, then the cloud is read. */
  const round = async (reading = world.reading()) => {
    world.pass(PERIOD_MS)
    await world.reportAll()
    await reading.readRound()
  }

  const run = async (
    { id, version }: Pick<ChangeDetail, 'id' | 'version'>,
    action: 'start' | 'roll-back',
  ) => {
    await actOnChange(world.at(), { id, body: { action, version } })
    const now = () => world.at().now()
    const box = createSecretBox(['a secret of tests that seals nothing real'])
    const signer = createCommandSigner({ database: world.database(), box, now })
    const toolsOf = createChangeTools({ ctx: world.at({ kind: 'system' }), accounts: [world.account()] })
    const { silentAfterSeconds } = world.at()
    const input = { database: world.database(), now, toolsOf, signer, silentAfterSeconds }
    for (let turn = 0; turn < MAX_TURNS; turn++) if ((await advanceChange(input, id)) !== 'moved') break
    return getChange(world.at(), { id })
  }

  const gpus = () => [{ host: HOST, address: address() }]

  const plan = (input: Partial<PlanTraits> = {}) =>
    createChange(world.at(), {
      cloud: world.cloudName(),
      kind: 'traits',
      gpus: gpus(),
      // As the card is tagged already: the plan has the step that keeps, and no other.
      rule: 'CUSTOM_NVIDIA_{type}',
      isManaged: true,
      ...input,
    })

  /** Providers of the card, by Placement. */
  const providers = (): Provider[] => {
    const bus = address().split(':').slice(0, 2).join('_')
    return [...world.openstack().cloud.placement.providers.values()].filter(({ name }) =>
      name.includes(`_pci_${bus}_`),
    )
  }

  return {
    ...world,
    HOST,
    hooks,
    living,
    address,
    round,
    run,
    plan,
    providers,
    /** Tags the card to the end, the traits to be kept. */
    keep: async (input: Partial<PlanTraits> = {}) => {
      await round()
      const done = await run(await plan(input), 'start')
      if (done.state !== 'done') throw new Error(`the change is ${done.state}: ${done.stopReason}`)
      await round()
      return done
    },
    /** Recreates an unused provider of the card without traits; resolves to its name. */
    recreate: (name: string) => world.openstack().controls.recreateProvider({ provider: name }),
    freeProvider: (): Provider => {
      const { consumers } = world.openstack().cloud.placement
      const held = new Set([...consumers.values()].flatMap(({ allocations }) => [...allocations.keys()]))
      const free = providers().find(({ uuid }) => !held.has(uuid))
      if (free === undefined) throw new Error('every provider of the card is in use')
      return free
    },
    named: (name: string): Provider => {
      const found = providers().find((provider) => provider.name === name)
      if (found === undefined) throw new Error(`no provider ${name}`)
      return found
    },
    findings: async (code: string) =>
      (await listFindings(world.at(), { cloud: world.cloudName() })).findings.filter(
        (finding) => finding.code === code && finding.state !== 'closed',
      ),
    managed: async () => (await listManagedTraits(world.at(), { cloud: world.cloudName() })).traits,
    audit: async () =>
      (
        await world.database().prisma.auditEntry.findMany({
          where: { cloud: world.cloudName(), action: { startsWith: 'kept-trait.' } },
          orderBy: { id: 'asc' },
        })
      ).map(({ actor, action, subject, after }) => ({ actor, action, subject, after })),
  }
}
