import { type CountedAnswer, countAnswer } from '../http/answer-reading'
import { keepConnection } from '../http/persistent-connection'

export type LoadAnswer = CountedAnswer & { ms: number }

export type LoadConnection = {
  /** Requests a path, and resolves once the whole answer is there. */
  ask: (path: string, headers?: Readonly<Record<string, string>>) => Promise<LoadAnswer>
  close: () => void
}

/** For a load of questions to one console. */
export const openConnection = async ({ hostname, port, host }: URL): Promise<LoadConnection> => {
  const { ask, close } = await keepConnection({ host: hostname, port: Number(port) }, countAnswer)
  return {
    ask: async (path, headers = {}) => {
      const startedAt = performance.now()
      const lines = Object.entries({ 'accept-encoding': 'gzip', ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      )
      const answer = await ask(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}\r\n`)
      return { ...answer, ms: performance.now() - startedAt }
    },
    close,
  }
}
