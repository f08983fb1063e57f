import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { createSampler, type UsageSample } from '../samples/sampler'
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
  const sampler = createSampler()
  let lastFailure = ''
  return {
    scanOnce: async () => {
      try {
        let usage: UsageSample | null = null
        await session.executor.alone(async () => {
          const inventory = await scanHost({
            ...options.scan,
            root: options.root,
            hostName: session.hostName() ?? undefined,
            allowedCommands: options.commands?.allow ?? [],
            novaConfigFolder: options.commands?.novaConfigFolder,
            memory,
            onSmiTexts: (texts) => {
              usage = sampler.take(texts, new Date())
            },
          })
          const watchedMs = session.watch.scanned()
          const takenAt = new Date()
          await session.outbox.record({ inventory, digest: inventoryDigest(inventory), takenAt, watchedMs })
          session.executor.scanned()
        })
        if (usage !== null) await session.samples.add(usage)
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
