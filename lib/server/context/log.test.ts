import { expect, test } from 'vitest'
import { createLog } from './log'

const written = (entry: object): string => {
  const lines: string[] = []
  createLog({ level: 'info', version: '1.2.3', target: { write: (line: string) => lines.push(line) } }).info(
    entry,
    'message',
  )
  return lines.join('')
}

test.each([
  [{ authorization: 'hunter2' }],
  [{ headers: { cookie: 'hunter2', 'set-cookie': ['hunter2'] } }],
  [{ req: { headers: { authorization: 'Bearer hunter2' } } }],
  [{ body: { token: 'hunter2', credential: 'hunter2', password: 'hunter2' } }],
  [{ a: { b: { c: { secret: 'hunter2' } } } }],
  [{ identity: { method: 'token', tokenId: 'hunter2' } }],
  [{ body: { passcode: 'hunter2' } }],
  [{ request: { headers: { 'x-auth-token': 'hunter2', 'x-subject-token': 'hunter2' } } }],
  [{ row: { scopedToken: 'hunter2', unscopedToken: 'hunter2' } }],
  [{ env: { databaseUrl: 'postgresql://a:hunter2@h/x' } }],
])('a secret is not written: %j', (entry) => {
  expect(written(entry)).not.toContain('hunter2')
  expect(written(entry)).toContain('[redacted]')
})

test('what is no secret is written, below its level nothing', () => {
  expect(JSON.parse(written({ requestId: 'abc', status: 200 }))).toMatchObject({
    requestId: 'abc',
    status: 200,
    msg: 'message',
  })
  const lines: string[] = []
  createLog({ level: 'warn', version: '1.2.3', target: { write: (line: string) => lines.push(line) } }).info(
    'quiet',
  )
  expect(lines).toEqual([])
})
