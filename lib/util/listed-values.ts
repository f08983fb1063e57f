/** `a,b` as its values; none of an empty or absent text. */
export const listedValues = (text: string | undefined): string[] => (text ? text.split(',') : [])
