import { connect } from 'node:net'

export type SlowSender = {
  /** Resolves with the first bytes of an answer. */
  answered: Promise<string>
  /** Resolves when the other end has closed, with all that it sent. */
  closed: Promise<string>
  stop: () => void
}

const DRIP_MS = 100

/** Sends `head` at once, and from then on one byte after the other for as long as the other end lets it; or nothing more. */
export const sendSlowly = (port: number, head: string, { drips = true } = {}): SlowSender => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  let dripping: NodeJS.Timeout | undefined
  const stop = () => {
    clearInterval(dripping)
    socket.destroy()
  }
  socket.setEncoding('utf8').on('connect', () => {
    socket.write(head)
    if (drips) dripping = setInterval(() => socket.write('x'), DRIP_MS)
  })
  const answered = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk
      resolve(text)
    })
  })
  const closed = new Promise<string>((resolve) => {
    const end = () => {
      stop()
      resolve(text)
    }
    // A write after the other end has closed fails.
    socket.on('end', end).on('close', end).on('error', end)
  })
  return { answered, closed, stop }
}
