import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listSources } from './house-measures'

const ROOT = path.resolve(import.meta.dirname, '../..')

/**
 * Files that read the table `host`, where removed hosts are, and not the view `current_host`: each needs a reason. A page, a total, a
 * metric or an alert has none.
 */
const READS_REMOVED_HOSTS: Readonly<Record<string, string>> = {
  'lib/server/agent-api/credential-store.ts': 'by credential; a removed host has no valid one',
  'lib/server/database/lock-row.ts': 'locks what its callers read',
  'lib/services/agent/revoke-agent.ts': 'by credential',
  'lib/services/agent-command/command-rows.ts': 'names of the hosts of commands',
  'lib/services/capacity/get-marks.ts': 'history',
  'lib/services/capacity/marked-members.ts': 'names of merged hosts',
  'lib/services/cloud-reading/store-findings.ts': 'by the targets of recent changes',
  'lib/services/cloud-reading/store-cloud-points.ts': 'marks hosts by id',
  'lib/services/cloud-reading/store-round.ts':
    'asks all hosts of a cloud for their report again, the removed ones too',
  'lib/services/enrollment-request/list-enrollment-requests.ts': 'requests of removed hosts',
  'lib/services/enrollment/enroll-host.ts': 'selects removed hosts',
  'lib/services/history/bring-watches-up.ts': 'history',
  'lib/services/history/keep-partitions.ts': 'history',
  'lib/services/history/load-history.ts': 'history',
  'lib/services/roll-up/rebuild-roll-ups.ts': 'history',
  'lib/services/roll-up/roll-up-cloud.ts': 'history',
  'lib/services/host/end-host.ts': 'removal',
  'lib/services/host/host-history.ts': 'removal',
  'lib/services/host/host-list.ts': 'names the condition itself: a view has no xmin',
  'lib/services/stored-host/host-span.ts': 'merge',
  'lib/services/host/merge-host.ts': 'merge',
  'lib/services/host/remove-hosts.ts': 'removal',
  'lib/services/stored-host/removed-host-rows.ts': 'lists removed hosts',
  'lib/services/host/restore-host.ts': 'removal',
  'lib/services/host/return-removed.ts': 'selects removed hosts',
  'lib/services/onboarding/get-onboarding.ts': 'counts those that are not removed',
  'lib/services/report/apply-stored-differences.ts': 'upgrade of every stored report',
  'lib/services/report/lock-hosts.ts': 'by id of a host with a valid credential',
  'lib/services/report/commit-group.ts': 'by id of a host with a valid credential',
  'lib/services/restore/revived-credentials.ts': 'by valid credential',
  'lib/services/review/compute-review.ts': 'history',
  'lib/services/review/load-series.ts': 'history',
  'lib/services/utilization/find-idle-vgpus.ts': 'history',
  'lib/services/utilization/held-vgpus.ts': 'history',
  'lib/services/utilization/patch-pages.ts': 'history',
  'lib/services/utilization/rebuild-pages.ts': 'history',
  'lib/services/utilization/roll-up-groups.ts': 'history',
  'lib/services/vgpu-action/list-vgpu-actions.ts': 'leaves removed hosts out itself',
}

const READS_HOST = /\b(?:FROM|JOIN|USING|UPDATE|INTO)\s+"?host"?(?![\w.])/
/** Prisma's client does not know the view: by the model, or along a relation. */
const READS_HOST_MODEL =
  /\b(?:prisma|tx)\.host\.|\bhosts?: \{\s*(?:select|omit|include|where|some|every|none|is|isNot)\b|include: \{[^}]*\bhosts?: true/

const productFiles = listSources(ROOT).filter(
  (file) => /^(app|lib|server\.ts)/.test(file) && !/(\.test\.|\/testing\/|prisma-client)/.test(file),
)

test('code that reads removed hosts, in SQL or through the client, is listed with its reason', () => {
  const reading = productFiles.filter((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    return READS_HOST.test(text) || READS_HOST_MODEL.test(text)
  })
  expect(reading.toSorted()).toEqual(Object.keys(READS_REMOVED_HOSTS).toSorted())
})
