// What the server knows of names.

// The longest that is asked about: no title is longer.
const LONGEST = 1000;

// How both sides of some pairs are understood, in order; nothing where the server does not say.
export async function understood(pairs) {
  if (!pairs.length || pairs.flat().some((name) => !name.trim() || name.length > LONGEST)) return [];
  try {
    const answer = await fetch("v1/relatedness", {
      method: "POST",
      body: JSON.stringify({ pairs: pairs.map(([left, right]) => ({ left, right })) }),
      headers: { "Content-Type": "application/json" },
    });
    return answer.ok ? (await answer.json()).results.map(({ resolved }) => resolved) : [];
  } catch {
    return [];
  }
}
