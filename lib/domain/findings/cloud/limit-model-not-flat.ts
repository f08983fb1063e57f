import { limitView } from '@/lib/domain/limits/limit-view'
import { novaConf } from '@/lib/util/encode/nova-conf'
import { cloudReports, type FleetDetector, makeFinding } from './detector'
import { driverEvidence } from './limit-evidence'

/** oslo.limit knows only the flat model; with another one Nova with unified limits fails (oslo_limit/limit.py). */
export const limitModelNotFlat: FleetDetector = {
  code: 'limit-model-not-flat',
  title: 'Keystone enforces a limit model that Nova cannot use',
  reference: {
    severities: ['error'],
    sources: ['keystone'],
    detection: 'Keystone: the enforcement model of unified limits is not flat.',
    consequence:
      'Nova with unified limits cannot check any limit, and every server request ends in error 500.',
    nextStep: 'Set enforcement_model = flat in [unified_limit] of keystone.conf, and restart Keystone.',
  },
  needs: ['limits'],
  detect: (fleet) => {
    const view = limitView(fleet)
    if (view === null || view.limits.model === 'flat') return []
    return [
      makeFinding({
        code: 'limit-model-not-flat',
        severity: 'error',
        subject: { kind: 'cloud' },
        sentence: `Keystone enforces the limit model ${view.limits.model}, which Nova does not support`,
        consequence:
          'Nova with unified limits cannot check any limit, and every server request ends in error 500.',
        nextStep: 'Set enforcement_model = flat in [unified_limit] of keystone.conf and restart Keystone.',
        command: novaConf`[unified_limit]\nenforcement_model = flat`,
        sourceToCorrect: 'keystone',
        evidence: [
          cloudReports(fleet, 'limits', `GET /v3/limits/model: ${view.limits.model}`),
          ...driverEvidence(fleet),
        ],
      }),
    ]
  },
}
