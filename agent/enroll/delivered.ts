import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { writeDurable } from '../spool/durable-file'
import { isMissing, parseJson } from './credential-file'

const deliveredSchema = z.object({ digest: z.string(), agentVersion: z.string() })

/**
 * What the console acknowledged last. Only a hint that lets a new start (and each `--once`) begin with a heartbeat: the
 * console requests the report when it does not agree.
 */
export type Delivered = z.infer<typeof deliveredSchema>

const fileIn = (stateDirectory: string) => path.join(stateDirectory, 'delivered.json')

/** Null when nothing was delivered yet, or it is unknown. */
export const loadDelivered = async (stateDirectory: string): Promise<Delivered | null> => {
  try {
    const parsed = deliveredSchema.safeParse(parseJson(await readFile(fileIn(stateDirectory), 'utf8')))
    return parsed.success ? parsed.data : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export const saveDelivered = (stateDirectory: string, delivered: Delivered): Promise<void> =>
  writeDurable({ file: fileIn(stateDirectory), data: `${JSON.stringify(delivered)}\n` })
