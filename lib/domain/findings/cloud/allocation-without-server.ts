import { listText } from '@/lib/domain/wording'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { holdingsOf } from './allocation-holders'
import { cloudReports, hostReports, type JoinedHostDetector, makeFinding } from './detector'

/** An allocation on a GPU whose consumer is neither a server nor a migration that Nova knows. */
export const allocationWithoutServer: JoinedHostDetector = {
  code: 'allocation-without-server',
  title: 'An allocation has no server',
  reference: {
    severities: ['warning'],
    sources: ['placement'],
    detection: 'Placement and Nova: the consumer of an allocation is neither a server nor a migration.',
    consequence: 'The allocated vGPUs are lost to the scheduler until the allocation is removed.',
    nextStep: 'Check that no guest exists for the consumer, then delete the allocation.',
  },
  needs: ['providers', 'allocations', 'servers', 'migrations'],
  hostNeeds: ['root'],
  detect: (joined, fleet) =>
    holdingsOf(fleet, joined)
      .filter(({ consumerUuid }) => !fleet.servers.has(consumerUuid) && !fleet.migrations.has(consumerUuid))
      .map(({ consumerUuid, providers, amount }) => {
        const guest = joined.host.description.guests?.find((entry) => entry.guestUuid === consumerUuid)
        const names = listText(providers.map(({ provider }) => provider.name))
        return makeFinding({
          code: 'allocation-without-server',
          severity: 'warning',
          subject: {
            kind: 'server',
            uuid: consumerUuid,
            name: guest?.serverName ?? consumerUuid,
            host: joined.host.name,
          },
          sentence: `${amount} of ${names} ${amount === 1 ? 'is' : 'are'} allocated to a server that Nova does not list`,
          consequence: 'These vGPUs are lost to the scheduler until the allocation is removed.',
          nextStep:
            guest === undefined
              ? 'Check again that Nova does not list the server, then remove the allocation.'
              : `First check the guest ${guest.guestName} on ${joined.host.name}: it still exists although Nova does not list it.`,
          command: sh`openstack resource provider allocation delete ${shellWord(consumerUuid)}`,
          sourceToCorrect: 'placement',
          evidence: [
            cloudReports(fleet, 'allocations', `${consumerUuid} holds ${amount} of ${names}`),
            cloudReports(fleet, 'servers', `no server and no migration ${consumerUuid}`),
            hostReports(
              joined,
              'libvirt',
              guest === undefined ? 'no such guest' : `guest ${guest.guestName} exists`,
            ),
          ],
        })
      }),
}
