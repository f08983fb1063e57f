import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createStopTasks } from './stop-tasks'

const logged: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line).work) })
const never = () => new Promise<void>(() => undefined)

test('the last registered is done first, and those that belong together at once', async () => {
  const shutdown = createStopTasks(log)
  const done: string[] = []
  const note = (name: string) => async () => void done.push(name)
  let meet: () => void = () => undefined
  const met = new Promise<void>((resolve) => {
    meet = resolve
  })
  shutdown.add('database', note('database'))
  shutdown.addTogether('one', async () => {
    await met
    done.push('one')
  })
  shutdown.addTogether('two', async () => {
    done.push('two')
    meet()
  })
  shutdown.add('listening', note('listening'))
  await shutdown.run()
  expect(done[0]).toBe('listening')
  expect(done.slice(1, 3).sort()).toEqual(['one', 'two'])
  expect(done[3]).toBe('database')
})

test('what fails or never ends holds up neither the others nor the end', async () => {
  logged.length = 0
  const shutdown = createStopTasks(log, { limitMs: 400 })
  const done: string[] = []
  shutdown.add('database', async () => void done.push('database'))
  shutdown.addTogether('stuck', never)
  shutdown.addTogether('broken', async () => Promise.reject(new Error('no')))
  shutdown.add('requests', never)
  const startedAt = performance.now()
  await shutdown.run()
  expect(done).toEqual(['database'])
  expect(performance.now() - startedAt).toBeLessThan(4000)
  expect(logged.sort()).toEqual(['broken', 'requests', 'stuck'])
})
