import { readdir, readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import { REVISION_MEMBER } from '@/lib/schemas/agent/revision'
import { SAMPLE_LIMITS, type Samples } from '@/lib/schemas/agent/samples'
import type { GpuUsage, VgpuUsage } from '../collect/smi-usage'
import { type AgentLog, reasonOf } from '../commands/run-log'
import { isMissing } from '../enroll/credential-file'
import { TEMPORARY_SUFFIX, writeDurable } from '../spool/durable-file'
import { makeDirectory } from '../spool/make-directory'
import { createQueue } from '../spool/queue'
import type { UsageSample } from './sampler'

type Usage = Pick<GpuUsage, 'totalMib' | 'utilization' | 'usedMib'>

const columnsOf = (usages: readonly (Usage | undefined)[]) => ({
  totalMib: usages.findLast((one) => one !== undefined)?.totalMib ?? null,
  utilisation: usages.map((one) => one?.utilization ?? null),
  usedMib: usages.map((one) => one?.usedMib ?? null),
})

const vgpuName = ({ vgpu, guestUuid }: VgpuUsage): string => `${vgpu} ${guestUuid ?? ''}`

/** The form in which samples go to the console: number by number. At least one, ascending, within the contract's limits. */
const buildSamples = (taken: readonly UsageSample[]): Samples => {
  const begin = taken[0]?.at ?? new Date(0)
  const addresses = [...new Set(taken.flatMap(({ gpus }) => gpus.map(({ address }) => address)))].sort()
  return {
    contractVersion: CONTRACT_VERSION,
    ...REVISION_MEMBER,
    begin: begin.toISOString(),
    at: taken.map(({ at }) => Math.round((at.getTime() - begin.getTime()) / 1000)),
    gpus: addresses.slice(0, SAMPLE_LIMITS.gpus).map((address) => {
      const cards = taken.map(({ gpus }) => gpus.find((gpu) => gpu.address === address))
      const names = new Map(
        cards.flatMap((card) => card?.vgpus.map((vgpu): [string, VgpuUsage] => [vgpuName(vgpu), vgpu]) ?? []),
      )
      const vgpus = [...names].slice(0, SAMPLE_LIMITS.vgpusPerGpu).map(([name, { vgpu, guestUuid }]) => ({
        vgpu,
        guestUuid,
        ...columnsOf(cards.map((card) => card?.vgpus.find((one) => vgpuName(one) === name))),
      }))
      return { address, ...columnsOf(cards), vgpus }
    }),
  }
}

const compress = promisify(gzip)

/** Three days of five minutes each: the console takes no older ones. */
const MAX_BATCHES = 900
const MAX_SAMPLES = 60
const MAX_SPAN_MS = 3_600_000
const ENDING = '.json'

export type SampleBatch = { name: string; body: Buffer }

/** Samples on their way to the console; on disk, so that neither an outage nor a restart loses them. The calls may overlap. */
export type SampleBox = {
  add: (sample: UsageSample) => Promise<void>
  /** The oldest batch that is complete: of an earlier start, or as long as `everySeconds`. It stays until it is delivered. */
  due: (everySeconds: number) => Promise<SampleBatch | null>
  delivered: (name: string) => Promise<void>
  /** The console takes no samples. */
  clear: () => Promise<void>
}

type Running = { name: string; samples: UsageSample[] }

const nameOf = (at: Date): string => `${String(at.getTime()).padStart(15, '0')}${ENDING}`

const remove = (file: string): Promise<void> =>
  unlink(file).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })

export const openSampleBox = async ({
  directory,
  log,
}: {
  directory: string
  log: AgentLog
}): Promise<SampleBox> => {
  await makeDirectory(directory)
  const { add: serial } = createQueue()
  const found = await readdir(directory)
  for (const name of found.filter((one) => one.endsWith(TEMPORARY_SUFFIX)))
    await remove(path.join(directory, name))
  let complete = found.filter((name) => name.endsWith(ENDING)).sort()
  let running: Running | null = null

  const drop = async (name: string): Promise<void> => {
    complete = complete.filter((one) => one !== name)
    if (running?.name === name) running = null
    await remove(path.join(directory, name))
  }
  const finish = (): void => {
    if (running !== null) complete = [...complete, running.name].sort()
    running = null
  }
  const fits = ({ samples }: Running, { at }: UsageSample): boolean => {
    const [first, last] = [samples[0]?.at.getTime() ?? 0, samples.at(-1)?.at.getTime() ?? 0]
    return samples.length < MAX_SAMPLES && at.getTime() > last && at.getTime() - first <= MAX_SPAN_MS
  }
  const dropOldest = async (): Promise<void> => {
    const excess = complete.slice(0, Math.max(0, complete.length - MAX_BATCHES))
    if (excess.length > 0) log.warn(`Too many samples wait: dropped the oldest ${excess.length} batches.`)
    for (const name of excess) await drop(name)
  }

  return {
    add: (sample) =>
      serial(async () => {
        if (running !== null && !fits(running, sample)) finish()
        running ??= { name: nameOf(sample.at), samples: [] }
        running.samples.push(sample)
        const data = JSON.stringify(buildSamples(running.samples))
        try {
          await dropOldest()
          await writeDurable({ file: path.join(directory, running.name), data })
        } catch (error) {
          log.warn(`A utilization sample could not be written to disk and is lost: ${reasonOf(error)}.`)
          running.samples.pop()
          if (running.samples.length === 0) running = null
        }
      }),
    due: (everySeconds) =>
      serial(async () => {
        const begin = running?.samples[0]?.at.getTime()
        const last = running?.samples.at(-1)?.at.getTime()
        // The last of them covers a minute itself.
        if (begin !== undefined && last !== undefined && last - begin >= (everySeconds - 60) * 1000) finish()
        for (const name of complete) {
          try {
            return { name, body: await compress(await readFile(path.join(directory, name))) }
          } catch (error) {
            log.warn(`The samples ${name} are unreadable and dropped: ${reasonOf(error)}.`)
            await drop(name)
          }
        }
        return null
      }),
    delivered: (name) => serial(() => drop(name)),
    clear: () =>
      serial(async () => {
        finish()
        for (const name of complete) await drop(name)
      }),
  }
}
