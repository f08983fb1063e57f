import 'server-only'
import { createHash } from 'node:crypto'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import type { AgentCommand } from '@/lib/schemas/agent/command'

type WriteCommand = Extract<AgentCommand, { name: 'write-nova-config' }>

/** Hash of a file in the drop-in folder; null: the file does not exist. */
export const contentHash = (content: string | null): string | null =>
  content === null ? null : createHash('sha256').update(content).digest('hex')

const write = (file: string, content: string | null, was: string | null): WriteCommand => ({
  name: 'write-nova-config',
  file,
  content,
  was,
})

/** Writes over what the look before saw, unless that found that the file would count for nothing. */
export const writeDropIn = (
  { file, content }: Pick<WriteCommand, 'file' | 'content'>,
  { was, byHand }: Intent,
) => (typeof byHand === 'string' ? { byHand } : write(file, content, typeof was === 'string' ? was : null))

/**
 * Restores the previous content; null if a person has written the file since, because then it is no longer the
 * console's.
 */
export const unwriteDropIn = (
  { file, content, written }: Pick<WriteCommand, 'file' | 'content'> & { written: string | null },
  { byHand }: Intent,
): WriteCommand | null => (typeof byHand === 'string' ? null : write(file, content, contentHash(written)))
