import { readAnswer } from '../http/answer-reading'
import { type KeptConnection, keepConnection } from '../http/kept-connection'

export type Connection = KeptConnection<string>

/** To a console on this machine; answers are their whole text. */
export const connect = (port: number): Promise<Connection> =>
  keepConnection({ host: '127.0.0.1', port }, readAnswer)
