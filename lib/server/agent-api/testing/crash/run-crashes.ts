import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { scanHost } from '@/agent/scan/scan-host'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { createRandom, type Random } from '@/simulator/random/random'
import { type CrashHost, createCrashHosts } from './crash-hosts'
import { bundleEntry, type CrashProcess, startProcess } from './crash-process'
import type { CrashRecord } from './crash-record'
import { createRecordingProxy, type Moment, type RecordingProxy } from './recording-proxy'

/** A fault that the checker must find; null runs the product as it is. */
export type Fault = 'acknowledge before commit' | 'renumber unsent reports' | null

export type CrashRunOptions = {
  seed: number
  /** How often something is killed, server and agents by turns; fewer when `seconds` are over. */
  kills: number
  seconds: number
  /** Consoles on one database, of which one at a time dies. */
  replicas: number
  fault: Fault
  /** How long the survivors get to deliver what waits. */
  settleSeconds: number
  directory: string
  databaseUrl: string | null
  dataDirectory: string
  joinToken: string
}

export type Start = { tookMs: number; cpuMs: number }

export type CrashRun = {
  record: CrashRecord
  trees: Inventory[]
  kills: { server: number; agent: number }
  /** False when reports still waited after the time to settle. */
  isSettled: boolean
  /** From the start of a console's process until it took requests, after each kill, and the process's CPU time until then. */
  starts: Start[]
  output: string
}

const HOSTS = 4
/** Who dies. A fault shows when the faulty one does. */
const VICTIMS: Record<NonNullable<Fault> | 'none', readonly ('server' | 'agent')[]> = {
  none: ['server', 'agent'],
  'acknowledge before commit': ['server'],
  'renumber unsent reports': ['agent'],
}
/** Where the reports are when it happens: the worst places and any. */
const MOMENTS: readonly (Moment | null)[] = ['answered', 'on the way', null]
const CHANGE_MS = 200
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs server and agents over changing trees, kills them at random times and at the worst moments of a report's way, then
 * lets everything settle. Server and agents are dead when it resolves.
 */
export const runCrashes = async (options: CrashRunOptions): Promise<CrashRun> => {
  const random = createRandom(options.seed)
  const hosts = createCrashHosts(options.directory, HOSTS, random)
  const proxy = await createRecordingProxy()
  const party = await createParty(options, hosts, proxy)
  const kills = { server: 0, agent: 0 }
  try {
    await Promise.all([party.startServers(), party.startAgent()])
    const changing = setInterval(() => hosts[random.between(0, hosts.length - 1)]?.change(), CHANGE_MS)
    const until = Date.now() + options.seconds * 1000
    const victims = VICTIMS[options.fault ?? 'none']
    for (let turn = 0; turn < options.kills && Date.now() < until; turn += 1) {
      const victim = victims[turn % victims.length] ?? 'server'
      // The first agent dies before it sees its answer, so one report at least is sent again in each run.
      const isUnseen = victim === 'agent' && kills.agent === 0
      const moment = MOMENTS[Math.floor(turn / 2) % MOMENTS.length] ?? null
      const goOn = await untilMoment(proxy, random, { moment, isHeld: isUnseen })
      kills[victim] += 1
      await (victim === 'server' ? party.restartServer(turn) : party.restartAgent())
      goOn()
    }
    clearInterval(changing)
    proxy.forget()
    const trees = await Promise.all(
      hosts.map(({ root, name }) => scanHost({ root, hostName: name, allowedCommands: [] })),
    )
    const isSettled = await settles(proxy.record, trees, options)
    return {
      record: proxy.record,
      trees,
      kills,
      isSettled,
      starts: party.starts,
      output: party.output(),
    }
  } finally {
    await party.end()
    await proxy.close()
  }
}

/**
 * Waits until a report reaches this stage; null waits for no report. A held report continues when the returned function
 * is called, others continue automatically.
 */
const untilMoment = async (
  proxy: RecordingProxy,
  random: Random,
  { moment, isHeld }: { moment: Moment | null; isHeld: boolean },
): Promise<() => void> => {
  let goOn = (): void => undefined
  const released = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await pause(random.between(0, 400))
  if (moment === null) {
    await pause(random.between(0, 500))
    return goOn
  }
  await Promise.race([
    pause(10_000),
    new Promise<void>((resolve) => {
      // The kill follows at once; the answer stays here for a moment, so the agent may or may not live to see it.
      proxy.atNext(moment, async () => {
        resolve()
        await (isHeld ? released : pause(random.between(0, 40)))
      })
    }),
  ])
  proxy.forget()
  return goOn
}

const createParty = async (options: CrashRunOptions, hosts: CrashHost[], proxy: RecordingProxy) => {
  const serverFile = await bundleEntry(new URL('./crash-server.ts', import.meta.url))
  const agentFile = await bundleEntry(new URL('./crash-agent.ts', import.meta.url))
  type Server = { process: CrashProcess; port: number }
  const servers: (Server | null)[] = Array.from({ length: options.replicas }, () => null)
  let agent: CrashProcess | null = null
  const ended: string[] = []
  const starts: Start[] = []

  const running = () => servers.filter((server) => server !== null)
  const startServer = async (index: number) => {
    const startedAt = performance.now()
    const process = startProcess(serverFile, {
      databaseUrl: options.databaseUrl,
      dataDirectory: options.dataDirectory,
      isAcknowledgingEarly: options.fault === 'acknowledge before commit',
    })
    const [, port, cpuMs] = await process.announced(/listens on (\d+) after (\d+) ms of CPU/)
    const tookMs = Math.round(performance.now() - startedAt)
    servers[index] = { process, port: Number(port) }
    proxy.setTargets(running().map((server) => server.port))
    return { tookMs, cpuMs: Number(cpuMs) }
  }
  const startAgent = async () => {
    agent = startProcess(agentFile, {
      serverUrl: proxy.url,
      joinToken: options.joinToken,
      hosts: hosts.map(({ name, root }) => ({
        name,
        root,
        stateDirectory: path.join(options.directory, 'state', name),
      })),
      isRenumbering: options.fault === 'renumber unsent reports',
    })
  }
  const kill = async (victim: CrashProcess | null) => {
    await victim?.kill()
    if (victim !== null) ended.push(victim.output())
  }
  return {
    startServers: () => Promise.all(servers.map((_, index) => startServer(index))),
    startAgent,
    starts,
    /** One server dies. While it is away its requests fail, unless the test names the other servers. */
    restartServer: async (turn: number) => {
      const index = Math.floor(turn / 2) % servers.length
      await kill(servers[index]?.process ?? null)
      servers[index] = null
      if (running().length > 0) proxy.setTargets(running().map((server) => server.port))
      starts.push(await startServer(index))
    },
    restartAgent: async () => {
      await kill(agent)
      await startAgent()
    },
    output: () =>
      [...ended, ...running().map(({ process }) => process.output()), agent?.output() ?? ''].join('\n'),
    end: async () => {
      for (const file of [serverFile, agentFile]) await rm(file, { force: true })
      for (const { process } of running()) await kill(process)
      await kill(agent)
    },
  }
}

/** Reports in the spool of a host's agent. */
const waitingReports = (directory: string, host: string): number => {
  const spool = path.join(directory, 'state', host, 'spool')
  return existsSync(spool) ? readdirSync(spool).filter((name) => name !== 'rejected').length : 0
}

/**
 * True once every host's last acknowledged state is its tree's and no report waits on an agent's disk (trees come back to
 * what they were, so that an older state may be the same) nor, without a fault, for an acknowledgement.
 */
const settles = async (
  record: CrashRecord,
  trees: readonly Inventory[],
  { fault, settleSeconds, directory }: CrashRunOptions,
): Promise<boolean> => {
  const isSettled = () =>
    trees.every(({ host }) => waitingReports(directory, host.name) === 0) &&
    trees.every((tree) => record.agreed.get(tree.host.name) === inventoryDigest(tree)) &&
    (fault !== null || [...record.sent.values()].every(({ acknowledgements }) => acknowledgements.length > 0))
  const until = Date.now() + settleSeconds * 1000
  while (Date.now() < until && !isSettled()) await pause(50)
  return isSettled()
}
