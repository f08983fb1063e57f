import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { createScanMemory, scanHost } from '../scan/scan-host'
import type { RunOptions } from './run'
import { reasonOf } from './run-log'
import type { RunSession } from './run-session'

export type Scanner = {
  /** Reads the host and hands the outcome to the outbox. False when it failed, which is logged once per reason. */
  scanOnce: () => Promise<boolean>
}

export const createScanner = (options: RunOptions, session: RunSession): Scanner => {
  const memory = createScanMemory()
  let lastFailure = ''
  return {
    scanOnce: async () => {
      try {
        await session.desk.alone(async () => {
          const inventory = await scanHost({
            ...options.scan,
            root: options.root,
            hostName: session.hostName() ?? undefined,
            allowedCommands: options.commands?.allow ?? [],
            novaConfigFolder: options.commands?.novaConfigFolder,
            memory,
          })
          const watchedMs = session.watch.scanned()
          const takenAt = new Date()
          await session.outbox.record({ inventory, digest: inventoryDigest(inventory), takenAt, watchedMs })
          session.desk.scanned()
        })
        lastFailure = ''
        return true
      } catch (error) {
        const failure = reasonOf(error)
        if (failure !== lastFailure) options.log.warn(`The host could not be scanned: ${failure}`)
        lastFailure = failure
        return false
      }
    },
  }
}
