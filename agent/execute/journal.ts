import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { type CommandOrder, type CommandResult, commandResultSchema } from '@/lib/schemas/agent/command'
import { uuidSchema } from '@/lib/schemas/agent/primitives'
import { isMissing, parseJson } from '../enroll/credential-file'
import { AgentSettingError } from '../enroll/setting-error'
import { writeDurable } from '../spool/durable-file'
import { createQueue } from '../spool/queue'

const entrySchema = z.object({
  id: uuidSchema,
  expiresAt: z.iso.datetime(),
  /** Null: it was begun, and its result is unknown. */
  result: z.nullable(commandResultSchema),
  isReported: z.boolean(),
})
const journalSchema = z.object({ entries: z.array(entrySchema) })
type Entry = z.infer<typeof entrySchema>

/** What was begun on this host, on disk before it is. The same id is never begun again. */
export type Journal = {
  has: (id: string) => boolean
  /** Durable before it resolves. Rejects when the disk does not take it, and then nothing may be done. */
  begin: (order: CommandOrder, now: Date) => Promise<void>
  end: (result: CommandResult) => Promise<void>
  /** Results that the console has not taken yet, the oldest first. */
  unreported: () => CommandResult[]
  reported: (id: string) => Promise<void>
  /** The console requests a result that it has received: it is sent again. */
  reportAgain: (id: string) => Promise<void>
}

/** An expired order is refused by its time, so its id need not be known permanently; clocks get this much. */
const RETENTION_AFTER_EXPIRY_MS = 7 * 24 * 3_600_000
const MAX_ENTRIES = 2000
/** Of older ones the id is kept, not the content of their files. */
const WHOLE_RESULTS = 16

const INTERRUPTED = 'The agent ended while it carried the command out, so it does not know how far it came.'

const readEntries = async (file: string): Promise<Entry[]> => {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
  const parsed = journalSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data.entries
  throw new AgentSettingError(
    `The journal of commands ${file} is damaged, and without it a command could be carried out twice: look what the console's changes did here, then remove it.`,
  )
}

/** What was begun and not ended before this start was interrupted. */
const interrupted = (entry: Entry): Entry =>
  entry.result === null
    ? { ...entry, result: { id: entry.id, outcome: 'interrupted', message: INTERRUPTED, output: '' } }
    : entry

const lightened = (entry: Entry, index: number, { length }: readonly Entry[]): Entry => {
  if (!entry.isReported || entry.result === null || index >= length - WHOLE_RESULTS) return entry
  const { previous: _, ...result } = entry.result
  return { ...entry, result: { ...result, output: '' } }
}

export const openJournal = async (stateDirectory: string): Promise<Journal> => {
  const file = path.join(stateDirectory, 'commands.json')
  let entries = (await readEntries(file)).map(interrupted)

  /** A command may begin while the result of the previous one is sent: neither may overwrite the other's entry. */
  const { add: serial } = createQueue()

  const write = (next: readonly Entry[]): Promise<void> =>
    writeDurable({ file, data: `${JSON.stringify({ entries: next })}\n` })
  /** What has happened is in memory, even if the disk refuses it. */
  const change = (id: string, changed: Partial<Entry>): Promise<void> =>
    serial(() => {
      entries = entries.map((entry) => (entry.id === id ? { ...entry, ...changed } : entry)).map(lightened)
      return write(entries)
    })

  return {
    has: (id) => entries.some((entry) => entry.id === id),
    begin: ({ id, expiresAt }, now) =>
      serial(async () => {
        const isNeeded = (entry: Entry) =>
          !entry.isReported || Date.parse(entry.expiresAt) + RETENTION_AFTER_EXPIRY_MS > now.getTime()
        const needed = entries.filter(isNeeded)
        if (needed.length >= MAX_ENTRIES)
          throw new Error(`the journal holds ${needed.length} commands of the last week`)
        const next = [...needed, { id, expiresAt, result: null, isReported: false }]
        await write(next)
        entries = next
      }),
    end: (result) => change(result.id, { result }),
    unreported: () =>
      entries.flatMap(({ result, isReported }) => (result === null || isReported ? [] : [result])),
    reported: (id) => change(id, { isReported: true }),
    reportAgain: (id) => change(id, { isReported: false }),
  }
}
