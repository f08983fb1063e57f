import { POST_COPY } from '@/lib/domain/cloud/migration-ends'
import { isOptionOn } from '@/lib/domain/nova-config/option-value'
import { novaConf } from '@/lib/util/encode/nova-conf'
import { hostReports, type JoinedHostDetector, makeFinding } from './detector'

const CODE = 'post-copy-with-vgpus'

/** Nova doc/source/admin/virtual-gpu.rst: live migration of mdevs needs `live_migration_permit_post_copy` to be off. */
export const postCopyWithVgpus: JoinedHostDetector = {
  code: CODE,
  title: 'Post-copy is enabled on a host with vGPUs',
  reference: {
    severities: ['warning'],
    sources: ['nova.conf'],
    detection: 'nova.conf and sysfs: live_migration_permit_post_copy is enabled on a host with vGPUs.',
    consequence:
      'A live migration with post-copy fails, because the state of a vGPU cannot be copied after the switch.',
    nextStep: 'Disable post-copy on hosts with vGPUs and restart nova-compute.',
  },
  needs: [],
  hostNeeds: ['nova.conf'],
  detect: (joined) => {
    const config = joined.host.inventory.novaConfig
    const hasVgpus = joined.pgpus.some(({ pgpu: { framework, configuredType, currentType } }) =>
      framework === 'vendor-vfio' ? currentType !== null : configuredType !== null,
    )
    if (config === null || !hasVgpus || !isOptionOn(config, POST_COPY)) return []
    return [
      makeFinding({
        code: CODE,
        severity: 'warning',
        subject: { kind: 'host', host: joined.host.name },
        sentence: 'post-copy live migration is enabled on a host with vGPUs',
        consequence:
          'A live migration with post-copy fails, because the state of a vGPU cannot be copied after the switch.',
        nextStep: 'Disable post-copy on hosts with vGPUs and restart nova-compute.',
        command: novaConf`[libvirt]\nlive_migration_permit_post_copy = False`,
        sourceToCorrect: 'nova.conf',
        evidence: [hostReports(joined, 'nova.conf', '[libvirt] live_migration_permit_post_copy is on')],
      }),
    ]
  },
}
