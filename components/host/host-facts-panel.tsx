import dynamic from 'next/dynamic'
import { NewerAgent } from '@/components/agent/newer-agent'
import { Moment } from '@/components/shell/moment'
import { KeyValue, KeyValues, orUnknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import type { HostDetail } from '@/lib/schemas/api/host'
import { formatNoun } from '@/lib/util/format'

/** Not needed for the first paint. */
const MergeHostButton = dynamic(
  () => import('./merge-host-button').then((module) => module.MergeHostButton),
  { ssr: false },
)

/** Versions and the state of the agent. */
export const HostFactsPanel = ({ host }: { host: HostDetail }) => (
  <Panel title="Host and agent" actions={<MergeHostButton host={host.name} />}>
    <KeyValues>
      <KeyValue label="System">{orUnknown(host.osName, 'no os-release file')}</KeyValue>
      <KeyValue label="Kernel">{orUnknown(host.kernel, 'not reported')}</KeyValue>
      <KeyValue label="libvirt">
        {orUnknown(host.libvirtVersion, 'not reported by virsh or the package list')}
      </KeyValue>
      <KeyValue label="QEMU">
        {orUnknown(host.qemuVersion, 'not reported by virsh or the package list')}
      </KeyValue>
      <KeyValue label="nova-compute">
        {orUnknown(host.novaComputeVersion, 'no running nova-compute from an installed package was found')}
      </KeyValue>
      <KeyValue label="NVIDIA driver">
        {host.driverVersion ?? <span className="text-ink2">not loaded</span>}
      </KeyValue>
      <KeyValue label="Agent">
        {orUnknown(host.agentVersion, 'no report yet')}
        {host.isAgentNewer ? <NewerAgent /> : null}
      </KeyValue>
      <KeyValue label="Last report">
        <Moment at={host.reportedAt} />
        <p className="text-ink2 text-small">last change; heartbeats confirm that nothing has changed since</p>
      </KeyValue>
      <KeyValue label="Last seen">
        <Moment at={host.seenAt} />
      </KeyValue>
      {host.droppedReports === 0 ? null : (
        <KeyValue label="Dropped">
          <span className="text-warn">{formatNoun(host.droppedReports, 'report')}</span>
          <p className="text-ink2 text-small">
            The spool on the host was full because the console was unreachable, or the console could not
            process the reports. The history has a gap.
          </p>
        </KeyValue>
      )}
    </KeyValues>
  </Panel>
)
