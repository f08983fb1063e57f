import { afterAll, beforeAll } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import { readTaggables } from '@/lib/domain/cloud/read-taggable'
import type { ChangeTarget } from '@/lib/domain/plans/step'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import type { PlacementClient } from '@/lib/openstack/placement/types'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { CommandName } from '@/lib/schemas/agent/command'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import { anyRow } from '@/lib/server/testing/any-row'
import { loadManagedTraits } from '@/lib/services/managed-trait/managed-trait-rows'
import { createServiceWorld, NOW } from '@/lib/services/testing/service-world'
import { storeReport } from '@/lib/services/testing/stored-report'
import type { LivingHost } from '@/simulator/host/living-host'
import type { Flavor } from '@/simulator/openstack/nova/nova-state'
import type { ReleaseName } from '@/simulator/openstack/releases'
import type { OpenStackSimulator } from '@/simulator/openstack/start-openstack'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { advanceChange } from '../advance-change'
import { createChangeTools } from '../change-tools'
import { loadFleetForPlan } from '../load-fleet-for-plan'
import type { Advance, AdvanceInput } from '../turn'
import { type ChangeSnapshot, snapshotOf } from './change-snapshot'
import { type ChangeCloud, openChangeCloud } from './open-change-cloud'
import { type AgentSeams, createTestAgents, type Mishap } from './test-agents'

/** A cloud that was read once, and what is in it. */
export type ChangeWorld = {
  ctx: (actor?: Actor) => ServiceContext
  cloud: () => { id: number; name: string; region: string | null }
  openstack: () => OpenStackSimulator
  placement: () => PlacementClient
  account: () => ServiceAccount
  toolsOf: () => AdvanceInput['toolsOf']
  /** pGPUs with one provider each, that traits can be put on. */
  taggable: (count: number) => Promise<ChangeTarget[]>
  /** Reads hosts and cloud again. */
  readAgain: () => Promise<void>
  snapshot: () => Promise<ChangeSnapshot>
  /** Turns until nothing moves automatically; `broke` receives the error with which a turn fails. */
  run: (id: number, input?: RunInput) => Promise<Advance>
  /** The host's agent sends a report. */
  report: (host: string) => Promise<void>
  living: (host: string) => LivingHost
}

type RunInput = Partial<Pick<AdvanceInput, 'toolsOf' | 'onPoint' | 'now' | 'silentAfterSeconds'>> & {
  broke?: (error: unknown) => void
  /** What becomes of each command that agents fetch. */
  mishap?: (host: string) => Mishap | Promise<Mishap>
}

const MAX_TURNS = 200
/** The clock of a change may be hours after the last report of its hosts. */
const NEVER_SILENT = 10 ** 9
/** Turns in a row without progress, each after something else moved. */
const MAX_RESTS = 6
/** Only where nothing else happens automatically. */
const TICK_MS = 5000

const WAITS_FOR_NOVA = `
SELECT body->'task'->>'kind' AS kind FROM change_step WHERE change_id = $1 AND (state = 'blocked' OR (state = 'waiting' AND way_out LIKE '%Expected within%'))
  AND body->'task'->>'kind' IN ('close-service', 'follow-capacity', 'verify-pgpu', 'verify-whole', 'verify-room', 'move-traits', 'test-boot', 'delete-test')`

/** The console's services, a database and a simulated cloud for the tests of a file. */
export const createChangeWorld = ({
  hostCount = 4,
  allow = [],
  fleetOf = (fleet) => fleet.slice(0, hostCount),
  flavors = [],
  release,
  now: clock = () => NOW,
  seams = {},
}: {
  hostCount?: number
  /** Commands that every host allows. */
  allow?: readonly CommandName[]
  /** Of the whole demo the hosts of this cloud. */
  fleetOf?: (fleet: FleetHost[]) => FleetHost[]
  /** In addition to those of the demo. */
  flavors?: readonly Flavor[]
  /** The simulated OpenStack's release. */
  release?: ReleaseName
  /** The clock that changes and commands go by. */
  now?: () => Date
  seams?: AgentSeams
} = {}): ChangeWorld => {
  const world = createServiceWorld()
  const folder = makeTemporaryDirectory('sliceboard-change-')
  let parts: ChangeCloud | null = null
  const get = () => {
    if (parts === null) throw new Error('the cloud opens before the first test')
    return parts
  }

  const report = async (living: Pick<LivingHost, 'name' | 'root'>) => {
    const inventory = await scanHost({ root: living.root, hostName: living.name, allowedCommands: allow })
    await storeReport(world.database(), { cloudId: get().cloud.id, inventory, seenAt: NOW })
  }

  const readAgain = async () => {
    for (const { living } of get().openstack.world.hosts) await report(living)
    await get().reading.readRound()
  }

  const agents = createTestAgents({
    database: world.database,
    signer: () => get().signer,
    hosts: () => get().openstack.world.hosts.map(({ living }) => living),
    cloudId: () => get().cloud.id,
    allow,
    folder,
    now: clock,
    seams,
    report,
    tick: () => tick(),
  })

  const tick = () => {
    const { world: hosts } = get().openstack
    if (hosts.hosts.every(({ fleet }) => fleet.story.kind === 'still')) hosts.advance(TICK_MS)
  }

  /** Servers come up and go, and the agents say so. */
  const letTimePass = async () => {
    tick()
    for (const { living } of get().openstack.world.hosts) await report(living)
  }

  /** What the cloud does automatically and a change may wait for. */
  const goOn = async (id: number, mishap: RunInput['mishap']): Promise<boolean> => {
    if (await agents.serve(mishap)) return true
    const [waiting] = await world.database().query(WAITS_FOR_NOVA, [id], anyRow<{ kind: string }>())
    if (waiting === undefined) return false
    if (waiting.kind === 'test-boot' || waiting.kind === 'delete-test') await letTimePass()
    get().openstack.controls.refresh()
    return true
  }

  beforeAll(async () => {
    parts = await openChangeCloud({ world, folder, fleetOf, flavors, release })
    await readAgain()
  })
  afterAll(async () => {
    await parts?.account.close()
    await parts?.openstack.stop()
    removeTree(folder)
  })

  /** The next period of nova-compute, where mdevs came or went. */
  const settleNova = async (id: number): Promise<void> => {
    const [row] = await world
      .database()
      .query('SELECT kind FROM change WHERE id = $1', [id], anyRow<{ kind: string }>())
    if (row?.kind === 'orphans') get().openstack.controls.refresh()
  }

  const livingOf = (name: string): LivingHost => {
    const host = get().openstack.world.hosts.find(({ living }) => living.name === name)
    if (host === undefined) throw new Error(`the world has no host ${name}`)
    return host.living
  }

  const toolsOf = () => createChangeTools({ ctx: world.ctx({ kind: 'system' }), accounts: [get().account] })
  const placement = () => createPlacement({ account: get().account })

  return {
    ctx: (actor) => ({ ...world.ctx(actor), accounts: [get().account] }),
    cloud: () => get().cloud,
    openstack: () => get().openstack,
    placement,
    account: () => get().account,
    toolsOf,
    readAgain,
    taggable: async (count) => {
      const fleet = await loadFleetForPlan({ ...world.ctx(), accounts: [get().account] }, get().cloud)
      const found = fleet.hosts.flatMap((joined) =>
        joined.pgpus
          .filter(
            (entry) => entry.providers.length === 1 && readTaggables(joined, entry).taggables?.length === 1,
          )
          .map(({ pgpu }) => ({ host: joined.host.name, address: pgpu.address })),
      )
      return found.slice(0, count)
    },
    snapshot: async () =>
      snapshotOf({
        managed: await loadManagedTraits(world.database(), get().cloud.id),
        openstack: get().openstack,
        first: get().first,
      }),
    report: (host) => report(livingOf(host)),
    living: livingOf,
    run: async (
      id,
      {
        toolsOf: tools = toolsOf(),
        onPoint,
        broke,
        mishap,
        now = clock,
        silentAfterSeconds = NEVER_SILENT,
      } = {},
    ) => {
      const input = {
        database: world.database(),
        now,
        toolsOf: tools,
        signer: get().signer,
        silentAfterSeconds,
        ...(onPoint === undefined ? {} : { onPoint }),
      }
      let rests = 0
      for (let turn = 0; turn < MAX_TURNS; turn++) {
        try {
          const advance = await advanceChange(input, id)
          rests = advance === 'resting' ? rests + 1 : 0
          if (rests > 0 && rests <= MAX_RESTS && (await goOn(id, mishap))) continue
          if (advance === 'over') await settleNova(id)
          if (advance !== 'moved') return advance
        } catch (error) {
          if (broke === undefined) throw error
          broke(error)
        }
      }
      throw new Error(`change ${id} does not come to an end`)
    },
  }
}
