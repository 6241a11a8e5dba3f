// An agent in JavaScript: `input` and context come as JSON on standard input, the answer goes to standard output.
// It shows: a program in any language that takes its model's address from the environment, with no packages.
import { readFileSync } from "node:fs";

const prompt = readFileSync(new URL("prompts/welcome.md", import.meta.url), "utf8");
const { language, context } = JSON.parse(readFileSync(0, "utf8"));

async function ask(messages) {
  const address = process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1";
  const response = await fetch(`${address}/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${process.env.OPENAI_API_KEY}`,
    },
    body: JSON.stringify({ model: "gpt-4.1-mini", temperature: 0, messages }),
  });
  if (!response.ok) throw new Error(`the model answered with status ${response.status}`);
  return (await response.json()).choices[0].message.content;
}

const answer = await ask([
  { role: "system", content: prompt },
  { role: "user", content: JSON.stringify({ language, ...context }) },
]);
console.log(JSON.stringify({ subject: `Welcome to ${context.plan.name}`, answer }));
