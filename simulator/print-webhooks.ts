/** `npx tsx simulator/print-webhooks.ts PORT`: takes webhooks on the loopback address and prints them, for a try by hand. */
import { createServer } from 'node:http'

const port = Number(process.argv[2] ?? 9000)

createServer(async (req, res) => {
  let body = ''
  for await (const part of req) body += part
  console.log(`${new Date().toISOString()} ${req.headers['sliceboard-event']} ${body}`)
  res.writeHead(204).end()
}).listen(port, 'localhost', () => console.log(`Webhooks to http://localhost:${port}/ are printed here.`))
