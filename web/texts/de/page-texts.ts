export const minS = (minutes: string | number, seconds: string | number) => `${minutes} min ${seconds} s`
export const hMin = (hours: string | number, minutes: string | number) => `${hours} h ${minutes} min`
