import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import * as z from 'zod'

const answerSchema = z.union([z.object({ made: z.unknown() }), z.object({ refused: z.string() })])
export type NovaAnswer = z.infer<typeof answerSchema>

/**
 * The lab's own Nova as a reader of files, for the tests of one file: its start takes seconds of a core, a question almost
 * nothing. `cpu` and `pci` take nova-compute's options, `provider` a folder, `sections` a file.
 */
export const openNovaReader = (): ((
  kind: 'cpu' | 'pci' | 'provider' | 'sections',
  words: string[],
) => Promise<NovaAnswer>) => {
  const nova = spawn('bash', ['lab/read-nova.sh'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: nova.stdout })[Symbol.asyncIterator]()
  afterAll(() => nova.stdin.end())
  return async (kind, words) => {
    nova.stdin.write(`${JSON.stringify([kind, ...words])}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`lab/read-nova.sh ended before it answered ${kind} ${words.join(' ')}`)
    return answerSchema.parse(JSON.parse(value))
  }
}

/** What Nova made of it; throws where it refuses. */
export const madeOf = (answer: NovaAnswer): unknown => {
  if ('refused' in answer) throw new Error(answer.refused)
  return answer.made
}
