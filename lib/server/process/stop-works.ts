import 'server-only'
import type { Logger } from '../log'

type StopWork = { name: string; work: () => Promise<void> }

/** What is still to be done when the process stops; last registered, first done. One that fails holds up no other. */
export const createStopWorks = (log: Logger) => {
  const works: StopWork[] = []
  return {
    add: (name: string, work: () => Promise<void>): void => {
      works.push({ name, work })
    },
    run: async (): Promise<void> => {
      for (let next = works.pop(); next; next = works.pop()) {
        try {
          await next.work()
        } catch (err) {
          log.error({ err }, `Could not finish at stop: ${next.name}`)
        }
      }
    },
  }
}
