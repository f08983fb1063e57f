import type { CommandResult } from '@/lib/schemas/agent/command'

/** What a command that was carried out tells. */
export type Done = Pick<CommandResult, 'message' | 'output' | 'previous'>
