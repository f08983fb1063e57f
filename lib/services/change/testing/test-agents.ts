import path from 'node:path'
import { openStateDirectory } from '@/agent/enroll/state-directory'
import { createCommandExecutor } from '@/agent/execute/command-executor'
import { createCommandHost } from '@/agent/execute/command-host'
import { DEFAULT_COMMANDS } from '@/agent/execute/command-settings'
import { type Journal, openJournal } from '@/agent/execute/journal'
import { createQueue } from '@/agent/spool/queue'
import type { CommandName, SignedCommand } from '@/lib/schemas/agent/command'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'
import type { CommandSigner } from '@/lib/services/agent-command/command-signer'
import { deliverCommands } from '@/lib/services/agent-command/deliver-commands'
import { takeResult } from '@/lib/services/agent-command/take-result'
import type { AgentActor } from '@/lib/services/report/group-member'
import type { LivingHost } from '@/simulator/host/living-host'

/** What goes wrong with one command, or right before it; `away`: the agent does not ask. */
export type Mishap = 'refused' | 'answer-lost' | 'away' | null

/** Where a test reaches into the agents; each may answer otherwise from one moment to the next. */
export type AgentSeams = {
  /** The hosts' clock. */
  now?: () => Date
  /** Folders with guest XML instead of the known ones. */
  guestXml?: () => readonly string[] | undefined
  /** Before each check that a command makes on its host. */
  beforeLook?: (host: string) => void
  /** What arrives of the orders that were sent. */
  onTheWay?: (host: string, orders: SignedCommand[]) => SignedCommand[]
  journal?: (journal: Journal) => Journal
  /** How long a command waits for the kernel, of which one answer comes at once. */
  patienceMs?: number
  /** Between two looks, where another process plays the kernel; without it `applyWrites` does. */
  pause?: () => Promise<void>
}

export type TestAgents = {
  /** Agents fetch and carry out what is queued, report, and tell; resolves to whether one had anything to do. */
  serve: (mishap?: (host: string) => Mishap | Promise<Mishap>) => Promise<boolean>
}

/** A simulated host tree: `applyWrites` performs what was written into it. */
type AgentHost = Pick<LivingHost, 'name' | 'root' | 'applyWrites'>

type Input = {
  database: () => Database
  signer: () => CommandSigner
  hosts: () => readonly AgentHost[]
  cloudId: () => number
  allow: readonly CommandName[]
  folder: string
  now: () => Date
  report: (living: AgentHost) => Promise<void>
  /** Before each command: a second start of nova-compute is later than the first. */
  tick: () => void
  seams?: AgentSeams
}

const ACTOR = `
SELECT c.id AS "credentialId", h.id AS "hostId", h.enrolment FROM host h JOIN agent_credential c ON c.host_id = h.id
WHERE h.cloud_id = $1 AND h.name = $2 AND c.revoked_at IS NULL`

const WAITING = `
SELECT 1 FROM agent_command WHERE host_id = $1 AND state IN ('queued', 'delivered') LIMIT 1`

const PUMP_MS = 20

/** The real desk, journal and execution of the agent over simulated trees, without the way through HTTP. */
export const createTestAgents = (input: Input): TestAgents => {
  const desks = new Map<string, Awaited<ReturnType<typeof open>>>()
  /** A host has one agent, however many consoles a test runs. */
  const { add: serial } = createQueue()
  let allowsNext = true

  const { seams = {} } = input
  const now = seams.now ?? input.now

  const open = async (living: AgentHost) => {
    const stateDirectory = path.join(input.folder, 'agents', living.name)
    await openStateDirectory(stateDirectory)
    const key = await input.signer().publicKeyOf(input.cloudId())
    const host = createCommandHost({
      root: living.root,
      settings: {
        ...DEFAULT_COMMANDS,
        allow: input.allow,
        restartNovaCompute: ['/.sliceboard/restart-nova-compute'],
      },
      patienceMs: seams.patienceMs ?? 2000,
      pause:
        seams.pause ??
        (async () => {
          living.applyWrites()
        }),
    })
    const journal = await openJournal(stateDirectory)
    return createCommandExecutor({
      host: {
        ...host,
        get settings() {
          return allowsNext ? host.settings : DEFAULT_COMMANDS
        },
        get guestXml() {
          return seams.guestXml?.()
        },
        look: () => {
          seams.beforeLook?.(living.name)
          return host.look()
        },
      },
      journal: seams.journal?.(journal) ?? journal,
      key: () => key,
      hostName: () => living.name,
      now,
      onEnded: () => undefined,
      log: { info: () => undefined, warn: () => undefined },
    })
  }

  const executorOf = async (living: AgentHost) => {
    const held = desks.get(living.name) ?? (await open(living))
    desks.set(living.name, held)
    return held
  }

  const serveHost = async (living: AgentHost, mishap: (host: string) => Mishap | Promise<Mishap>) => {
    const { database, cloudId } = input
    type Row = Omit<AgentActor, 'kind' | 'cloudId' | 'hostName'>
    const [row] = await database().query(ACTOR, [cloudId(), living.name], anyRow<Row>())
    if (row === undefined) return false
    if ((await database().query(WAITING, [row.hostId])).length === 0) return false
    const actor: AgentActor = { kind: 'agent', cloudId: cloudId(), hostName: living.name, ...row }
    const executor = await executorOf(living)
    const how = await mishap(living.name)
    if (how === 'away') return false
    allowsNext = how !== 'refused'
    input.tick()
    const orders = await deliverCommands({ database: database(), now: input.now }, actor)
    executor.take(seams.onTheWay?.(living.name, orders) ?? orders)
    // As the simulated world does: performs what is written into the tree.
    const pump = setInterval(() => living.applyWrites(), PUMP_MS)
    await executor.idle()
    clearInterval(pump)
    // The report contains the driver's reaction to the last write.
    living.applyWrites()
    allowsNext = true
    await input.report(living)
    executor.scanned()
    for (
      let result = executor.result();
      result !== null && how !== 'answer-lost';
      result = executor.result()
    ) {
      await takeResult({ database: database(), now: input.now }, { actor, result })
      await executor.reported(result.id)
    }
    return how !== 'answer-lost'
  }

  return {
    serve: (mishap = () => null) =>
      serial(async () => {
        let hasWorked = false
        for (const living of input.hosts()) if (await serveHost(living, mishap)) hasWorked = true
        return hasWorked
      }),
  }
}
