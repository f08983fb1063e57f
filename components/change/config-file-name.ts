import type { TypeChangePreview } from '@/lib/schemas/api/change'

type Text = NonNullable<TypeChangePreview['configs']>[number]['texts'][number]

const ENDINGS: Readonly<Record<Text['language'], string>> = { ini: 'conf', yaml: 'yaml', shell: 'sh' }

/** The file's own name if the text belongs to one file, else one derived from the title. */
export const fileNameOf = ({ path, title, language }: Pick<Text, 'path' | 'title' | 'language'>): string => {
  const name = /^[^\n: ]*?([A-Za-z0-9_.-]+\.(?:conf|ya?ml|sh))$/.exec(path)?.[1]
  if (name !== undefined) return name
  const stem = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${stem.slice(0, 80)}.${ENDINGS[language]}`
}
