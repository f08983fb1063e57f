import { describeHost } from '@/lib/domain/host/describe-host'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { type Acknowledgement, formatPosition, type Position } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'

/** Numbers of a pGPU as the history keeps them: one text per pGPU address. */
export type Numbers = ReadonlyMap<string, string>

/** One position of one host, with what was sent under it and what the console answered, each time. */
export type SentReport = {
  host: string
  position: Position
  /** Identifies this report, under any position. */
  contents: Set<string>
  takenAt: string
  digest: string
  numbers: Numbers
  acknowledgements: Acknowledgement[]
}

/** Everything that went over the wire, as a witness between agents and console sees it. */
export type CrashRecord = {
  sent: Map<string, SentReport>
  noteSent: (report: Report) => SentReport
  /** Digest of the last acknowledged report or heartbeat of each host. */
  agreed: Map<string, string>
  /** Host by `Authorization`, for heartbeats, which do not name it. */
  senders: Map<string, string>
}

export const createCrashRecord = (): CrashRecord => {
  const sent = new Map<string, SentReport>()
  return {
    sent,
    agreed: new Map(),
    senders: new Map(),
    noteSent: ({ inventory, position, takenAt, digest }) => {
      const host = inventory.host.name
      const key = `${host} ${formatPosition(position)}`
      const known = sent.get(key) ?? {
        host,
        position,
        contents: new Set(),
        takenAt,
        digest,
        numbers: numbersOf(inventory),
        acknowledgements: [],
      }
      known.contents.add(`${takenAt} ${digest}`)
      sent.set(key, known)
      return known
    },
  }
}

export const numbersOf = (inventory: Inventory): Numbers =>
  new Map(describeHost(inventory).pgpus.map((pgpu) => [pgpu.address, numbersText(pgpu)]))

const numbersText = ({ currentType, framework, numbers }: Pgpu): string =>
  JSON.stringify([
    currentType?.typeId ?? null,
    framework,
    ...[
      numbers.capacity,
      numbers.used,
      numbers.spare,
      numbers.orphan,
      numbers.returning,
      numbers.creatable,
    ].map(({ value }) => value),
  ])
