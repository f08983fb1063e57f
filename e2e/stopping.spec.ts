/** The real commands with the real npm: in every usual way of stopping them, nothing is left running and nothing locked. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type Marked, startMarked } from './world/marked-processes'

/** The whole stop takes at most this, however many other tests run. */
const LIMIT_MS = 5000

const COMMANDS = [
  {
    name: 'npm start',
    argsIn: () => ['start'],
    envIn: (folder: string) => ({
      DATABASE_URL: '',
      SLICEBOARD_DATA_DIR: `${folder}/data`,
      SLICEBOARD_PORT: '0',
      SLICEBOARD_OPENSTACK: 'off',
    }),
    ready: /Sliceboard listens on (http:\/\/\S+)/,
  },
  {
    name: 'the demo',
    argsIn: (folder: string) => ['run', 'demo', '--', '--hosts', '2', '--no-history', '--directory', folder],
    envIn: () => ({}),
    ready: /runs at (http:\/\/\S+)/,
  },
]

const group = ({ child }: Marked, signal: NodeJS.Signals): void =>
  void process.kill(-(child.pid ?? 0), signal)

/** A Ctrl-C goes to the whole foreground group, and npm passes it on. */
const WAYS: { name: string; isLong?: true; stop: (started: Marked) => void }[] = [
  { name: 'SIGTERM to npm', stop: ({ child }) => void child.kill('SIGTERM') },
  { name: 'SIGKILL to npm', stop: ({ child }) => void child.kill('SIGKILL') },
  { name: 'SIGTERM to the group', isLong: true, stop: (started) => group(started, 'SIGTERM') },
  { name: 'SIGHUP to npm', isLong: true, stop: ({ child }) => void child.kill('SIGHUP') },
  {
    name: 'Ctrl-C twice',
    stop: (started) => {
      group(started, 'SIGINT')
      setTimeout(() => started.living().length > 0 && group(started, 'SIGINT'), 300)
    },
  },
]

/** Not searched for: the trees of simulated hosts are full of links that lead in circles. */
const LOCKS = ['data/lock', 'demo.pid', 'data/pglite/postmaster.pid']

const locksIn = (folder: string): string[] => LOCKS.filter((name) => existsSync(path.join(folder, name)))

const expectNothingLeft = async (started: Marked, address: string): Promise<void> => {
  await expect.poll(started.living, { timeout: LIMIT_MS, intervals: [50] }).toEqual([])
  await expect(fetch(address)).rejects.toThrow()
  expect(locksIn(started.folder)).toEqual([])
}

for (const command of COMMANDS) {
  for (const way of WAYS) {
    test(`${command.name} is stopped by ${way.name}${way.isLong ? ' @long' : ''}`, async () => {
      const started = startMarked('npm', (folder) => ['--silent', ...command.argsIn(folder)], command.envIn)
      try {
        const [, address = ''] = await started.output(command.ready)
        way.stop(started)
        await expectNothingLeft(started, address)
      } finally {
        started.remove()
      }
    })
  }

  test(`${command.name} is stopped by a terminal that is closed`, async () => {
    const lineIn = (folder: string) => ['npm', '--silent', ...command.argsIn(folder)].join(' ')
    const started = startMarked('script', (folder) => ['-qfec', lineIn(folder), '/dev/null'], command.envIn)
    try {
      const [, address = ''] = await started.output(command.ready)
      // The terminal ends with the program that holds its other side.
      started.child.kill('SIGKILL')
      await expectNothingLeft(started, address)
    } finally {
      started.remove()
    }
  })
}
