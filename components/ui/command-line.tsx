import { CopyButton } from './copyable'

/** A literal command with its copy button; long ones wrap. */
export const CommandLine = ({ command }: { command: string }) => (
  <div className="mt-1 flex items-start gap-1 rounded-control border border-line bg-bg py-1 pr-1 pl-2">
    <pre className="m-0 min-w-0 flex-1 whitespace-pre-wrap font-mono text-small wrap-anywhere">{command}</pre>
    <CopyButton text={command} label="Copy the command" />
  </div>
)
