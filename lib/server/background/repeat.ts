import 'server-only'

type Rest = { restMs: number }

/** Asked by a turn that takes long, between its parts. */
type IsStopping = () => boolean

/**
 * Background work in turns, each followed by the rest that it returns; 0 is none. A turn handles its own errors. `stop`
 * ends the rest early and resolves when the current turn has ended.
 */
export const repeat = (turn: (isStopping: IsStopping) => Promise<Rest>): { stop: () => Promise<void> } => {
  let isStopping = false
  let wake: () => void = () => undefined
  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async (): Promise<void> => {
    while (!isStopping) {
      const { restMs } = await turn(() => isStopping)
      if (restMs > 0 && !isStopping) await rest(restMs)
    }
  }
  const running = run()
  return {
    stop: async () => {
      isStopping = true
      wake()
      await running
    },
  }
}
