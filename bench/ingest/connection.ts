import { readAnswer } from '../http/answer-reading'
import { keepConnection, type PersistentConnection } from '../http/persistent-connection'

export type Connection = PersistentConnection<string>

/** To a console on this machine; answers are their whole text. */
export const connect = (port: number): Promise<Connection> =>
  keepConnection({ host: '127.0.0.1', port }, readAnswer)
