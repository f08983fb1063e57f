import { SeverityText } from '@/components/ui/severity-text'
import type { FindingDto } from '@/lib/schemas/api/gpu'
import { asSentence } from './finding-labels'

/** Findings with what they mean and the next step, most urgent first as the server sends them. */
export const FindingsList = ({ findings }: { findings: readonly FindingDto[] }) => (
  <ul className="flex flex-col gap-2.5">
    {findings.map((finding) => (
      <li key={`${finding.code} ${finding.sentence}`}>
        <p className="font-[550]">
          <SeverityText severity={finding.severity}>{asSentence(finding.sentence)}</SeverityText>
        </p>
        <p className="mt-0.5 break-words text-ink2">{finding.detail}</p>
      </li>
    ))}
  </ul>
)
