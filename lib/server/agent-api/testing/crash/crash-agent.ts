/** Process entry: reports several hosts with the real agent. Settings come as JSON in the one argument. */
import { readdir, readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { runAgent } from '@/agent/commands/run'
import { createAgentLog } from '@/agent/commands/run-log'
import { writeDurable } from '@/agent/spool/durable-file'
import { decodeReport, entryName, moveReport, parseEntryName } from '@/agent/spool/spool-entry'

const settingsSchema = z.object({
  serverUrl: z.string(),
  joinToken: z.string(),
  hosts: z.array(z.object({ name: z.string(), root: z.string(), stateDirectory: z.string() })),
  /** Deliberately wrong: gives unsent reports new positions at each start. */
  isRenumbering: z.boolean(),
})

/** What a naive agent would do: reports of an earlier start get the positions of the next one. */
const renumberSpool = async (stateDirectory: string) => {
  const spool = path.join(stateDirectory, 'spool')
  const counters = path.join(stateDirectory, 'counters.json')
  const names = await readdir(spool).catch(() => null)
  if (names === null) return
  const { boot, lostReports } = JSON.parse(
    await readFile(counters, 'utf8').catch(() => '{"boot":0,"lostReports":0}'),
  )
  await writeDurable({ file: counters, data: JSON.stringify({ boot: boot + 1, lostReports }) })
  let sequence = 0
  for (const name of names.sort()) {
    const position = parseEntryName(name)
    if (position === null) continue
    const entry = await decodeReport(await readFile(path.join(spool, name)), position)
    sequence += 1
    const moved = await moveReport(entry, { boot: boot + 1, sequence })
    await writeDurable({ file: path.join(spool, entryName(moved.position)), data: moved.body })
    await unlink(path.join(spool, name))
  }
}

const { serverUrl, joinToken, hosts, isRenumbering } = settingsSchema.parse(JSON.parse(process.argv[2] ?? ''))
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
await Promise.all(
  hosts.map(async ({ name, root, stateDirectory }) => {
    if (isRenumbering) await renumberSpool(stateDirectory)
    await runAgent({
      root,
      stateDirectory,
      serverUrl,
      joinToken,
      hostName: name,
      intervalSeconds: 0.3,
      timing: { backOffBaseMs: 50, backOffCapMs: 400, requestTimeoutMs: 5000 },
      signal: stop.signal,
      log: createAgentLog((line) => process.stderr.write(`${name} ${line}`)),
    })
  }),
)
