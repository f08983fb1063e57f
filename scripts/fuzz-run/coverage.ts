import { Session } from 'node:inspector'

type Range = { startOffset: number; endOffset: number; count: number }
type Script = { url: string; scriptId: string; functions: { functionName: string; ranges: Range[] }[] }

/** V8's own block coverage of one script: which blocks ran since it was asked last. */
export const createCoverage = (
  isOurs: (url: string) => boolean,
): { newBlocks: () => number; seen: () => number } => {
  const session = new Session()
  session.connect()
  // The calls of an inspector of the own thread are answered before they return.
  const post = (method: string, params: object): unknown => {
    let answer: unknown
    session.post(method, params, (error, result) => {
      if (error !== null) throw error
      answer = result
    })
    return answer
  }
  post('Profiler.enable', {})
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const seen = new Set<string>()
  return {
    newBlocks: () => {
      const before = seen.size
      const { result } = post('Profiler.takePreciseCoverage', {}) as { result: Script[] }
      for (const { url, functions } of result) {
        if (!isOurs(url)) continue
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0)
              seen.add(`${startOffset}-${endOffset}-${Math.min(4, Math.ceil(Math.log2(count + 1)))}`)
      }
      return seen.size - before
    },
    seen: () => seen.size,
  }
}
