/** One plain line per event. Never given a token or a credential. */
export type AgentLog = { info: (message: string) => void; warn: (message: string) => void }

/** Lines for journald or a terminal: time, level, sentence. Line breaks inside a message become spaces. */
export const createAgentLog = (
  write: (line: string) => void,
  now: () => Date = () => new Date(),
): AgentLog => {
  const line = (level: string) => (message: string) =>
    write(`${now().toISOString()} ${level} ${message.replace(/[\r\n]+\s*/g, ' ')}\n`)
  return { info: line('info'), warn: line('warn') }
}

/** First line of an error's message. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
