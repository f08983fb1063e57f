/** The agent with all that `run` loads in addition to the scanner: the contract's parser, the spool, the ways to a console. */
import '@/agent/commands/run-command'

export * from '@/agent/main'
