import path from 'node:path'
import { parseArgs } from 'node:util'

/** Of the whole fleet in simulator/demo-fleet. */
export const DEMO_HOSTS = 35
export const DEFAULT_SEED = 1

export type DemoOptions = {
  /** Null: the first free one from 3000 on. */
  port: number | null
  /** Null: all of them. */
  hostCount: number | null
  seed: number
  isFresh: boolean
  isVerbose: boolean
  /** People sign in through the simulated Keystone; else everyone who opens the address is admin. */
  hasSignIn: boolean
  /** A new database begins with a year of history. */
  hasHistory: boolean
  directory: string
}

/** The command line is not valid; the message gives the reason. */
export class DemoError extends Error {
  override name = 'DemoError'
}

const wholeNumber = (name: string, text: string, { min, max }: { min: number; max: number }): number => {
  const value = Number(text)
  if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value
  throw new DemoError(`--${name} is "${text}", but must be a whole number from ${min} to ${max}.`)
}

export const demoHelp = (command: string): string => `Usage: npm run ${command} [-- OPTION…]

  --port N         port of the console; default: the first free port from 3000
  --hosts N        number of hosts, at most ${DEMO_HOSTS}
  --seed N         seed of the simulated hosts and events; default ${DEFAULT_SEED}
  --fresh          delete the state of earlier runs
  --directory DIR  folder of the database, the hosts' trees and the agents' state
  --sign-in        require sign-in with an account of the simulated Keystone
  --no-history     start without the simulated year of history
  --verbose        print the events on the hosts
`

/** Null when help was requested. */
export const parseDemoOptions = (args: string[], defaultDirectory: string): DemoOptions | null => {
  const { values } = parse(args)
  if (values.help) return null
  return {
    port: values.port === undefined ? null : wholeNumber('port', values.port, { min: 1, max: 65_535 }),
    hostCount:
      values.hosts === undefined ? null : wholeNumber('hosts', values.hosts, { min: 1, max: DEMO_HOSTS }),
    seed: wholeNumber('seed', values.seed, { min: 0, max: 999_999_999 }),
    isFresh: values.fresh,
    isVerbose: values.verbose,
    hasSignIn: values['sign-in'],
    hasHistory: !values['no-history'],
    directory: path.resolve(values.directory ?? defaultDirectory),
  }
}

const parse = (args: string[]) => {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string' },
        hosts: { type: 'string' },
        seed: { type: 'string', default: String(DEFAULT_SEED) },
        fresh: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        'sign-in': { type: 'boolean', default: false },
        'no-history': { type: 'boolean', default: false },
        directory: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new DemoError(
      `${error instanceof Error ? error.message : String(error)}; --help lists the options.`,
    )
  }
}
